"""Lambda entries of the intake queue and of direct invocation."""

from verbena.doors import intake

messages = intake.queue_handler()
invoke = intake.invoke_handler()
