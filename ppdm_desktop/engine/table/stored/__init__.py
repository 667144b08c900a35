"""Tables that do not fit in memory: what is on the disk, what is in memory, and why the results are the same bytes.

**On the disk**: one code a row and column, as narrow as the column's texts allow, in blocks, each encrypted with the
project's own SHAKE-256 stream under a key that is only in memory, in a private folder (mode 0700) that goes when the
work ends and that the finder of unfinished work knows when it was cut short. **In memory**: the distinct texts of each
column, the row numbers, one array of a row each for the column that is being looked at, and the blocks asked for last
as far as ``HELD_BYTES`` goes. A source that is UTF-8 is read in windows, twice
(once to prove and hash it, once to cut it), and never stands in memory whole.

**The same bytes** come about because there is no second way: a ``StoredColumn`` is a ``Column``, whose codes are
decrypted when they are asked for and let go again. Reading, roles, kinds, levels, counts, methods, writing, reading
back and the gate are the code that a table in memory goes through, so no figure is left out and none is a guess;
what is made from a stored column is stored as well.

**What is streamed, what is sampled, what is refused.** Streamed: reading, the codes of source, candidate, released
columns and of what was read back, a column at a time. Held for the time that it is worked on: whatever a step, a check
or an attack computes of each row; classes are counted on one number a row. Sampled: what is sampled in memory, by the
same fixed samples (learners, linkage, filters), and nothing else. The written file and its copy that is read back are
still whole in memory. Refused with a sentence before anything is drawn (``release/writing/disk_and_memory.py``): a
method that is not ``record_by_record`` where all records do not fit in memory, and any release whose checks and attacks
would not fit. No check of the gate is left out or judged otherwise: they run on the same ``Table``.

**What does not follow from this yet**: counting takes some 50 bytes a row, so that ten million rows of fifteen columns
are assessed in 0.8 GB and a hundred million in 5.2 GB; judging a release is taken to need 40 bytes a cell, most of it
for attacks and beliefs of each person, so that ten million are refused a release on a computer that does not have some
6.4 GB free. What stage takes how much stands in ``docs/speed.md``.

**In the window** a file's columns lie on the disk where one version would take more than half of the free memory
(``ui/state/reading.py``); the store goes with the last of its columns.

**Why no other engine underneath**: DuckDB or Arrow would count as fast, but what is counted, judged and written rests
on codes and exact texts that both would have to be given again, and a second way to the same figures would have to be
proved against the first for each of them. Encryption is by the generator that is there, so that no library is added.
"""
