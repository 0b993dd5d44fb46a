"""MCP: every verb as a tool."""
