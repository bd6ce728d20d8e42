package intake_test

// The fault table of speed-and-faults.md, row by row, and the tests that inject each fault. The scenes here are of real
// parts: a queue over a store on the disk and a client, which calls a sandbox over HTTP across a wire on which things go wrong
// (faults_scene_test.go). Each scene ends with atService: the service has each content once, by its list and by its objects;
// everything has an answer or a sentence; every fault of the plan was met; neither the key nor a signature was said.
//
//	kill -9 in every state
//	    TestKilledAtAnyInstantNothingIsLostAndNothingIsSentTwice (soak_test.go), TestACrashAtAnyMomentLosesNothingAndSendsNothingTwice
//	    (restart_test.go); store: TestKilled; pull: TestKill9; sandbox: TestRestart; gui/e2e: TestKilledItGoesOnAtTheNextStart
//	an orderly end and start between any two steps
//	    TestAssayIsEndedAndStartedBetweenAnyTwoSteps
//	write or fsync error, disk full
//	    TestADiskThatFailsAtAnyCommit, TestAnErrorOfTheDiskThatPassesAtOnce, TestADiskThatIsReallyFull (a tmpfs of 4 MB),
//	    TestADiskThatIsFull (disk_test.go); store: TestFullDisk, TestSoakDiskErrors (strace); keep: TestAFullDisk
//	429/503 with Retry-After (seconds, date, absurd), 500, 502
//	    TestABusyOrFailingServiceIsWaitedOut, TestAnAbsurdRetryAfterIsCapped; client: TestRetry and the Pacer's tests (one bucket)
//	400, 403, 404
//	    TestWhatIsRefusedForGoodIsSaidAndNotAskedAgain; of the key: TestAKeyThatIsNotAcceptedStopsTheQueueAndNoSubmission
//	stalls, 8 KB/s, slow-loris
//	    TestWhatStallsIsEndedAndHoldsNothingElseUp; client: TestPutTimeout, TestStallWatch
//	truncated PUT, reset mid-body, answer lost after the whole body
//	    TestAnUploadThatBreaksBeginsAgainAtTheSameAddress
//	expired URLs, before and during
//	    TestAddressesThatExpire, TestBytesWhoseAnswerWasLostAreFoundHoweverWrongTheClockIs; of artifacts (A3, A4): vault: TestFetcher
//	    and TestFailures; client: artifacts_test.go
//	malformed, huge, deep, wrong-typed JSON; captive portal
//	    TestAnswersThatAreNone; client: TestErrorBody, TestRequestUploadTolerance, fuzz_test.go and fuzz_answers_test.go; pull: TestOddEntries
//	picture bombs, truncated or lying files
//	    client/media/picture: TestDecodeRefuses, TestDecode; sandbox: TestText, TestAudio, TestVideo (bytes that are none of it)
//	pages with scripts, remote images, file: links, 100 MB
//	    of the viewer for texts, not of this package
//	redirects to other hosts
//	    TestRedirectsToAnotherHostTakeNothingAlong; client: TestRedirects
//	clock jumps, time zones, DST
//	    TestOurClockJumps, TestBytesWhoseAnswerWasLostAreFoundHoweverWrongTheClockIs; gui/e2e: TestStoppedItGoesOnWhenItWakes
//	a watched folder vanishes, comes back, …
//	    of package watch, not of this one
//	a file grows, is rewritten with the same size, replaced, deleted while being hashed or sent
//	    TestAFileThatChangesWhileItGoesToTheService; while it is hashed: TestAFileThatChangesIsNeverTakenForWhatItWas (files_test.go);
//	    media: TestHash, TestOpen; client: TestPutOfAFileThatChanges
//	unreadable, directory loops by links, FIFO, device, empty, sparse, over the cap
//	    TestOddFilesAreRefusedWithAReasonAndTheOthersGo, TestOddFiles (files_test.go: unreadable, where the user is not root), TestAFolderIsWalked
//	    (loops, what can't be read); media: TestPipesNeverHang (FIFO, socket), TestInspect (one that its owner does not share)
//	names: 201 characters, NFC/NFD, right-to-left, newline, invalid UTF-8, same name twice
//	    TestNamesOfEveryKindAtTheService, TestNamesOfEveryKind (accept_test.go); media: TestSendName, TestDisplayName
//	two starts at once, a stale lock
//	    instance: TestStarts, TestAddress, TestTakeOrCall; command: TestScanHandover, TestWindowHandover; gui/e2e: TestOneWindow
//	no network, no DNS, proxy that wants a login
//	    TestNoNetworkIsSaidAndWaitedOut, TestNoNetworkAtAll (a network namespace); gui/e2e: TestWithoutTheServiceItWaits
//	no display, no keychain, no sound device, no ffmpeg
//	    gui/e2e: TestWithoutDisplayItSaysSoAndExitsWith2; the others are of packages that are to come
