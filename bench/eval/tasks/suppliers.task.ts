import assert from 'node:assert/strict'
import { listPage, openCollection, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, openFromMenu, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

const SUPPLIERS_PAGE = listPage('Suppliers', 'suppliers')
const PARTS_PAGE = listPage('Parts', 'parts', '/parts')
/**
 * Declares both collections even without the page for parts, because the records of a removed page stay
 * stored.
 */
const suppliersApp = (...pages: (typeof PARTS_PAGE)[]) =>
  scriptApp({
    name: 'Suppliers',
    uses: ['data'],
    pages,
    collections: {
      suppliers: openCollection('Suppliers', { name: TEXT_FIELD, phone: { type: 'text' } }),
      parts: openCollection('Parts', { name: TEXT_FIELD, price: { type: 'number' } }),
    },
  })

export const task: Task = {
  name: 'suppliers',
  about: 'a second page, and taking it out again',
  tickets: [
    {
      title: 'Keep track of suppliers with name and phone',
      script: suppliersApp(SUPPLIERS_PAGE),
      checks: [
        {
          name: 'a supplier can be added',
          run: async (page) => {
            await addRecord(page, [
              [/name/i, 'Babbage Ltd'],
              [/phone/i, '555 0100'],
            ])
            await expectText(page, 'Babbage Ltd')
          },
        },
        { name: 'the supplier stays', run: (page) => expectText(page, 'Babbage Ltd') },
      ],
    },
    {
      title: 'Also keep track of parts with name and price',
      script: suppliersApp(SUPPLIERS_PAGE, PARTS_PAGE),
      checks: [
        {
          name: 'parts have a page of their own in the menu',
          run: async (page) => {
            await openFromMenu(page, /parts/i)
            await addRecord(page, [
              [/name/i, 'Gear wheel'],
              [/price/i, '12'],
            ])
            await expectText(page, 'Gear wheel')
          },
          until: 3,
        },
      ],
    },
    {
      title: 'Remove the parts',
      script: suppliersApp(SUPPLIERS_PAGE),
      checks: [
        {
          name: 'nothing in the app leads to parts',
          run: async (page) => {
            await expectText(page, 'Babbage Ltd')
            assert.equal(await page.getByRole('link', { name: /parts/i }).count(), 0)
          },
        },
      ],
    },
  ],
}
