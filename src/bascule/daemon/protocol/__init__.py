"""The methods of the protocol, by what they are about; dispatch finds them."""
