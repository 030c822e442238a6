"""Lines and JSON-RPC messages, whatever carries them."""
