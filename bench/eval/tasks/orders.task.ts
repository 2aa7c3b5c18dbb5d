import { listPage, openCollection, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

const ordersApp = (values: readonly string[]) =>
  scriptApp({
    name: 'Orders',
    uses: ['data'],
    pages: [listPage('Orders', 'orders')],
    collections: {
      orders: openCollection('Orders', { customer: TEXT_FIELD, status: { type: 'enum', values } }),
    },
  })

export const task: Task = {
  name: 'orders',
  about: 'a value more in a choice',
  tickets: [
    {
      title: 'Track orders with customer and status (new, baking, ready)',
      script: ordersApp(['new', 'baking', 'ready']),
      checks: [
        {
          name: 'an order can be added',
          run: async (page) => {
            await addRecord(page, [
              [/customer/i, 'Charlotte'],
              [/status/i, 'baking'],
            ])
            await expectText(page, 'Charlotte')
          },
        },
      ],
    },
    {
      title: 'Add cancelled to the status',
      script: ordersApp(['new', 'baking', 'ready', 'cancelled']),
      checks: [
        {
          name: 'an order can be cancelled, and the earlier one is kept',
          run: async (page) => {
            await expectText(page, 'Charlotte')
            await addRecord(page, [
              [/customer/i, 'Emily'],
              [/status/i, 'cancelled'],
            ])
            await expectText(page, 'Emily')
          },
        },
      ],
    },
  ],
}
