-- The gate of what is sent is named like the others: one that is missing or unknown lets nothing out from here on.
UPDATE submissions SET gate = 'send' WHERE gate = '';
