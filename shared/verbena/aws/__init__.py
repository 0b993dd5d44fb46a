"""The stores on AWS: one class per table or service, domain objects in and out."""
