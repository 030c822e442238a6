"""Sessions and the prompts that go into them."""
