"""The engine: everything the program does, without Qt.

Data flows one way: a file becomes a Table; privacy levels and risk are determined; the steps of the recipe make a
candidate; it is measured, judged by the gate, and exported.
"""
