import assert from 'node:assert/strict'
import { addRecord, openFromMenu, sees } from '../steps.ts'
import type { Task } from '../task.ts'

export const task: Task = {
  name: 'suppliers',
  about: 'a second page, and taking it out again',
  tickets: [
    {
      title: 'Keep track of suppliers with name and phone',
      checks: [
        {
          name: 'a supplier can be added',
          run: async (page) => {
            await addRecord(page, [
              [/name/i, 'Babbage Ltd'],
              [/phone/i, '555 0100'],
            ])
            await sees(page, 'Babbage Ltd')
          },
        },
        { name: 'the supplier stays', run: (page) => sees(page, 'Babbage Ltd') },
      ],
    },
    {
      title: 'Also keep track of parts with name and price',
      checks: [
        {
          name: 'parts have a page of their own in the menu',
          run: async (page) => {
            await openFromMenu(page, /parts/i)
            await addRecord(page, [
              [/name/i, 'Gear wheel'],
              [/price/i, '12'],
            ])
            await sees(page, 'Gear wheel')
          },
          until: 3,
        },
      ],
    },
    {
      title: 'Remove the parts',
      checks: [
        {
          name: 'nothing in the app leads to parts',
          run: async (page) => {
            await sees(page, 'Babbage Ltd')
            assert.equal(await page.getByRole('link', { name: /parts/i }).count(), 0)
          },
        },
      ],
    },
  ],
}
