"""Tables that do not fit in memory: what lies on the disk, what is held, and how the same bytes come about.

**On the disk**: one code a row and column, as narrow as the column's texts allow, in blocks, each encrypted with the
project's own SHAKE-256 stream under a key that is only in memory, in a private folder (mode 0700) that goes when the
work ends and that the finder of unfinished work knows when it was cut short. **In memory**: the distinct texts of each
column, the row numbers, and one array of a row each for the column that is being looked at. A source that is UTF-8 is
read in windows, twice (once to prove and hash it, once to cut it), and never stands in memory whole.

**The same bytes** come about because there is no second way: a ``StoredColumn`` is a ``Column``, whose codes are
decrypted when they are asked for and let go again. Reading, roles, kinds, levels, counts, methods, writing, reading
back and the gate are the code that a table in memory goes through, so no figure is left out and none is a guess;
what is made from a stored column is stored as well.

**What still takes memory for each row** is what a step or a check works on: a few numbers a row at a time. Methods
that compare records with one another (condensation, microaggregation, data reconstruction, swaps) hold them all at
once; ``release/writing/room.py`` says before the work what they need.
"""
