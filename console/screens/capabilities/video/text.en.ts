export const videoText = {
  tab: 'Videos',
  empty: 'No videos yet',
  emptyHint:
    'They appear here as soon as an upload begins. Ask in a ticket for a page on which people upload videos.',
  title: 'Videos',
  name: 'Video',
  person: 'Person',
  length: 'Length',
  added: 'Added',
  state: 'State',
  states: {
    pending: 'Not uploaded yet',
    processing: 'In progress',
    ready: 'Ready',
    error: 'Could not be used',
  },
}
