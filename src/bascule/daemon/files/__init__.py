"""Which files a surface may see."""
