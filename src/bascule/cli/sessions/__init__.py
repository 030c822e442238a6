"""Commands about sessions: prompt one, list, watch and change them."""
