"""Lambda entries of everything that is no verb."""

from verbena.doors import operations, queue, rest

handler = rest.service_handler({operation.route: operation.serve for operation in operations.OPERATIONS})
sweep = queue.sweep_handler()
dead_letters = queue.burial_handler()
