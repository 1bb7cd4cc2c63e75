"""Each kind of finding explained: a wrong text and a right one, run by the tests."""
