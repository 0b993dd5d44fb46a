"""Lambda entries of everything that is no verb."""

from verbena.doors import operations, queue, rest

handler = rest.service_handler(operations.OPERATIONS)
sweep = queue.sweep_handler()
dead_letters = queue.burial_handler()
