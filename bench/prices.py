"""What AWS asks in us-east-1, in dollars; free tiers are left out, and so are discounts for volume.

Each price is on the page named beside it. Last compared in December 2026.
"""

from typing import Final

MILLION: Final = 1_000_000

# https://aws.amazon.com/lambda/pricing/ (Arm, first tier); a share of a vCPU goes with the memory, a whole one at
# 1,769 MB: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
LAMBDA_GB_SECOND: Final = 0.0000133334
LAMBDA_REQUEST: Final = 0.20 / MILLION
VCPU_MEMORY_MB: Final = 1769

# https://aws.amazon.com/dynamodb/pricing/on-demand/ : 1 KB a write unit, 4 KB a consistent read unit, a transaction
# takes two units where a plain write takes one, an index its own.
DYNAMODB_WRITE_UNIT: Final = 0.625 / MILLION
DYNAMODB_READ_UNIT: Final = 0.125 / MILLION

# https://aws.amazon.com/sqs/pricing/ : 64 KB a request; a message group on a standard queue makes it a fair queue.
SQS_REQUEST: Final = 0.40 / MILLION
SQS_FAIR: Final = 0.10 / MILLION
SQS_CHUNK_BYTES: Final = 64 * 1024

# https://aws.amazon.com/s3/pricing/ : S3 Standard.
S3_PUT: Final = 5.00 / MILLION
S3_GET: Final = 0.40 / MILLION
S3_GB_MONTH: Final = 0.023

# https://aws.amazon.com/api-gateway/pricing/ : HTTP API, 512 KB a request.
API_REQUEST: Final = 1.00 / MILLION
API_CHUNK_BYTES: Final = 512 * 1024

# https://aws.amazon.com/cloudwatch/pricing/ : ingestion of logs, 26 bytes more for each line.
LOGS_GB: Final = 0.50
LOGS_LINE_BYTES: Final = 26
GB: Final = 1e9
