import { listPage, scriptApp, TEXT_FIELD } from '../answers.ts'
import { asPerson, choosePicture, control, expectText, sendForm, signIn } from '../steps.ts'
import type { Task } from '../task.ts'

const albumApp = (fields: object) =>
  scriptApp({
    name: 'Album',
    uses: ['auth', 'data', 'files'],
    pages: [{ ...listPage('Album', 'photos'), access: 'members' }],
    collections: { photos: { partition: 'app', read: 'members', write: 'owner', fields } },
  })

export const task: Task = {
  name: 'photo-album',
  about: 'uploads that other members see',
  requires: ['free-form'],
  tickets: [
    {
      title: 'A shared photo album',
      body: 'People sign in and upload a photo with a caption. All members see all photos with their captions.',
      script: albumApp({ caption: TEXT_FIELD, photo: { type: 'file', required: true } }),
      checks: [
        {
          name: 'another member sees the picture that was uploaded',
          run: async (page) => {
            await signIn(page, 'Ada')
            await control(page, /caption/i).fill('Sunset')
            await choosePicture(page, 'sunset.png')
            await sendForm(page)
            await expectText(page, 'Sunset')
            await asPerson(page, 'Ben', async (ben) => {
              await expectText(ben, 'Sunset')
              await ben.waitForFunction(
                '[...document.querySelectorAll("main img")].some((image) => image.complete && image.naturalWidth > 0)',
              )
            })
          },
        },
      ],
    },
    {
      title: 'Say where a photo was taken',
      body: 'A photo gets a field "Place", which may stay empty.',
      script: albumApp({
        caption: TEXT_FIELD,
        photo: { type: 'file', required: true },
        place: { type: 'text' },
      }),
      checks: [
        {
          name: 'a photo has a place',
          run: async (page) => {
            await signIn(page, 'Ada')
            await control(page, /caption/i).fill('Harbour')
            await control(page, /place/i).fill('Lisbon')
            await choosePicture(page, 'harbour.png')
            await sendForm(page)
            await expectText(page, 'Lisbon')
          },
        },
      ],
    },
  ],
}
