-- What is said of a submission or a feedback is a message from here on, in JSON: a code with what is filled in, so that it is said in the person's language
-- of the moment. The sentences of before stay as they are: a text in JSON is said as it stands.
UPDATE submissions SET warning = json_quote(warning) WHERE warning <> '';
UPDATE submissions SET problem = json_quote(problem) WHERE problem <> '';
UPDATE feedback SET problem = json_quote(problem) WHERE problem <> '';
