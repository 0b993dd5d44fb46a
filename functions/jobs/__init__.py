"""What is about jobs and not about one verb: reading, cancelling, resuming, sweeping, burying."""
