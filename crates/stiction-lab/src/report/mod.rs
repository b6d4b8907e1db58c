//! What a run leaves behind: the folder with its files and its page.
