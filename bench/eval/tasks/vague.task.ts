import { ask, listPage, openCollection, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

export const task: Task = {
  name: 'vague',
  about: 'an order too vague to build is asked about, and the answer is followed',
  tickets: [
    {
      title: 'Make me something nice',
      answers: { track: 'Contacts' },
      script: [
        ask('What should the app keep track of?', ['Books', 'Contacts']),
        ...scriptApp({
          name: 'Contacts',
          uses: ['data'],
          pages: [listPage('Contacts', 'contacts')],
          collections: { contacts: openCollection('Contacts', { name: TEXT_FIELD }) },
        }),
      ],
      checks: [
        {
          name: 'the app keeps contacts, as answered',
          run: async (page) => {
            await addRecord(page, [[/name/i, 'Charles Babbage']])
            await expectText(page, 'Charles Babbage')
          },
        },
      ],
    },
  ],
}
