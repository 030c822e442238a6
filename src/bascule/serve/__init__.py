"""The daemon over a wire: HTTP and WebSocket on loopback, newline-delimited JSON on stdio."""
