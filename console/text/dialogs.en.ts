/** Separate from `en.ts`, because no dialog is part of the first page. */
export const dialogText = {
  typeToConfirm: (name: string) => `Type ${name} to confirm`,
  unsaved: 'What you typed is not saved. Close again to discard it.',
  mustWait:
    'Waiting for the service to respond. Its response has the secret, which is shown only once, so this dialog stays open until then.',
}
