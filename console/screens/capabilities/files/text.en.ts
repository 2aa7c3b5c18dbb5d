export const filesText = {
  tab: 'Live files',
  empty: 'No files yet',
  emptyHint:
    'What people upload appears here. Ask in a ticket for what they can upload, like a photo of each plant.',
  open: (name: string) => `Show ${name}`,
  downloadFile: 'Download file',
  preparing: 'Fetching the file',
  noPreview: 'Only pictures are shown here. Download the file to look at it.',
  failed: 'The file could not be read',
  key: 'Key',
  owner: 'Owner',
  ownedBy: (name: string) => `Of ${name}`,
  ofApp: 'the app',
  ofPerson: 'a person',
  ofVisitors: 'visitors',
  stored: 'Stored',
  gone: 'This file is not among those shown.',
}
