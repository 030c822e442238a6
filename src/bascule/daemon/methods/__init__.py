"""The methods of the protocol, by what they are about; daemon/dispatch.py finds them."""
