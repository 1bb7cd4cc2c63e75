"""A page about rulebooks that opens without a network: what they say, how they run, who knew what.

Pure: values go in, one text of HTML comes out.
"""
