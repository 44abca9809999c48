"""A process pool for long work: PDFs, exact searches, import validation.

Nothing here knows about requests; ``web.background`` decides which work goes to the pool.
"""
