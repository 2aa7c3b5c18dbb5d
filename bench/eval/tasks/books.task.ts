import { listPage, openCollection, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

const libraryApp = (fields: Record<string, object>) =>
  scriptApp({
    name: 'Books',
    uses: ['data'],
    pages: [listPage('Books', 'books')],
    collections: {
      books: openCollection('Books', { title: TEXT_FIELD, author: { type: 'text' }, ...fields }),
    },
  })

export const task: Task = {
  name: 'books',
  about: 'two fields more, one after the other',
  tickets: [
    {
      title: 'books: title, author',
      script: libraryApp({}),
      checks: [
        {
          name: 'a book can be added',
          run: async (page) => {
            await addRecord(page, [
              [/title/i, 'Middlemarch'],
              [/author/i, 'George Eliot'],
            ])
            await expectText(page, 'George Eliot')
          },
        },
      ],
    },
    {
      title: 'Add a pages field to books',
      script: libraryApp({ pages: { type: 'integer' } }),
      checks: [
        {
          name: 'a book has a number of pages, and the first book is kept',
          run: async (page) => {
            await expectText(page, 'Middlemarch')
            await addRecord(page, [
              [/title/i, 'Emma'],
              [/pages/i, '474'],
            ])
            await expectText(page, '474')
          },
        },
      ],
    },
    {
      title: 'Books need a status (unread, reading, done)',
      script: libraryApp({
        pages: { type: 'integer' },
        status: { type: 'enum', values: ['unread', 'reading', 'done'] },
      }),
      checks: [
        {
          name: 'a book has a status',
          run: async (page) => {
            await addRecord(page, [
              [/title/i, 'Persuasion'],
              [/status/i, 'reading'],
            ])
            await expectText(page, 'Persuasion')
          },
        },
      ],
    },
  ],
}
