"""The engine: everything the program does, without Qt.

Data flows one way: file, Table, levels, risk, steps, candidate, measures, gate, export.
"""
