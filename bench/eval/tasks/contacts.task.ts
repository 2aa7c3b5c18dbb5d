import { listPage, openCollection, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

const contactsApp = (fields: Record<string, object>) =>
  scriptApp({
    name: 'Contacts',
    uses: ['data'],
    pages: [listPage('Contacts', 'contacts')],
    collections: {
      contacts: openCollection('Contacts', {
        name: TEXT_FIELD,
        email: { type: 'text', as: 'email' },
        ...fields,
      }),
    },
  })

export const task: Task = {
  name: 'contacts',
  about: 'a field more, and no record lost',
  tickets: [
    {
      title: 'Keep track of contacts with name and email',
      script: contactsApp({}),
      checks: [
        {
          name: 'a contact can be added',
          run: async (page) => {
            await addRecord(page, [
              [/name/i, 'Grace Hopper'],
              [/e-?mail/i, 'grace@example.test'],
            ])
            await expectText(page, 'Grace Hopper')
          },
        },
        { name: 'the contact stays', run: (page) => expectText(page, 'Grace Hopper') },
      ],
    },
    {
      title: 'Add a phone field to contacts',
      script: contactsApp({ phone: { type: 'text' } }),
      checks: [
        {
          name: 'a contact has a phone',
          run: async (page) => {
            await addRecord(page, [
              [/name/i, 'Ada Lovelace'],
              [/e-?mail/i, 'ada@example.test'],
              [/phone/i, '+44 20 7946 0000'],
            ])
            await expectText(page, 'Ada Lovelace')
            await expectText(page, '+44 20 7946 0000')
          },
        },
      ],
    },
  ],
}
