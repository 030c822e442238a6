"""WeCom: encrypted callbacks in, encrypted replies and pushed messages out."""
