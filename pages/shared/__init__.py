"""What all pages share: registry, session state, sidebar, messages, panels."""
