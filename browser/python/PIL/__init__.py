"""Stands in for Pillow, which does not exist for browsers, so that reportlab can be imported.

It can do nothing. The edition leaves out what needs real pictures.
"""
