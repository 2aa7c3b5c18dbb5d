import { listPage, openCollection, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, control, openForm, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

export const task: Task = {
  name: 'plants',
  about: 'a list app from one sentence',
  tickets: [
    {
      title: 'Track the plants in my office: name, room, last watered date',
      script: scriptApp({
        name: 'Plants',
        uses: ['data'],
        pages: [listPage('Plants', 'plants')],
        collections: {
          plants: openCollection('Plants', {
            name: TEXT_FIELD,
            room: { type: 'text' },
            watered: { type: 'date' },
          }),
        },
      }),
      checks: [
        {
          name: 'the empty app says that there is nothing yet',
          run: (page) => expectText(page, /\bno\b.*\byet\b|nothing|empty|first/i),
          until: 1,
        },
        {
          name: 'a plant can be added with all three fields',
          run: async (page) => {
            await addRecord(page, [
              [/name/i, 'Monstera'],
              [/room/i, 'Kitchen'],
              [/watered/i, '2026-01-31'],
            ])
            await expectText(page, 'Monstera')
            await expectText(page, 'Kitchen')
          },
        },
        { name: 'the plant is still there after a reload', run: (page) => expectText(page, 'Monstera') },
        {
          name: 'a plant needs a name',
          run: async (page) => {
            await expectText(page, 'Monstera')
            await openForm(page, /name/i)
            await control(page, /name/i).waitFor()
          },
        },
      ],
    },
  ],
}
