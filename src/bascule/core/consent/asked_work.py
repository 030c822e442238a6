"""Which tool work an Ask is about: until it is answered, that work has not begun."""

from bascule.model.asks import Ask, CommandSubject, FilesSubject, QuestionsSubject
from bascule.model.blocks import Block, CommandBlock, FileChangeBlock, McpBlock

Work = CommandBlock | FileChangeBlock | McpBlock


def is_about(ask: Ask, block: Block) -> bool:
    if ask.by == "bascule" or (ask.run and block.run and ask.run != block.run):
        return False
    match block, ask.subject:
        case CommandBlock(), CommandSubject() as subject:
            return subject.original == (block.original or block.command)
        case FileChangeBlock(), FilesSubject() as subject:
            return not {file.path for file in subject.files}.isdisjoint(file.path for file in block.files)
        case McpBlock(), QuestionsSubject() as subject:
            return bool(subject.server) and subject.server == block.server
        case _:
            return False
