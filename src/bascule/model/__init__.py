"""The nouns: frozen structs without behaviour."""
