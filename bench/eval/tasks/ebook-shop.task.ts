import assert from 'node:assert/strict'
import { listPage, scriptApp } from '../answers.ts'
import { askApp, expectText, signIn } from '../steps.ts'
import type { Task } from '../task.ts'

const SHOP_PAGE = `import { api, BuyButton, Button, formatPrice, Notice, Page, useAction, useProducts } from '@slipway/app/react'
import { useState } from 'react'

export default function Shop() {
  const products = useProducts()
  const [text, setText] = useState('')
  const read = useAction(async () => setText((await api.get<{ text: string }>('/api/chapter')).text))
  return (
    <Page title="Books">
      {products?.length === 0 && <p>Nothing is for sale yet.</p>}
      {products?.map((one) => (
        <p key={one.id}>
          {one.name}, {formatPrice(one)} <BuyButton productId={one.id}>Buy</BuyButton>
        </p>
      ))}
      {read.problem !== null && <Notice>{read.problem.text}</Notice>}
      <p>{text}</p>
      <Button onClick={() => void read.run()}>Read the first chapter</Button>
    </Page>
  )
}
`
const ROUTES_TS = `import { ApiError, auth, pay } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/chapter', async (c) => {
  await auth.require(c.req.raw)
  const [bought] = await pay.as(c.req.raw).entitlements()
  if (bought === undefined) throw new ApiError('forbidden', 'Buy the book first.')
  return c.json({ text: 'Once upon a time' })
})
`

export const task: Task = {
  name: 'ebook-shop',
  about: 'content for those who paid, guarded by the server',
  requires: ['free-form'],
  tickets: [
    {
      title: 'Sell an ebook',
      body: 'The page lists the products with their price and a button to buy; without products it says "Nothing is for sale yet." The button "Read the first chapter" reads GET /api/chapter, which gives the text only to people who bought something and else says "Buy the book first."',
      script: scriptApp({
        name: 'Books',
        uses: ['auth', 'pay'],
        pages: [{ ...listPage('Books', ''), source: SHOP_PAGE }],
        files: { 'server/routes.ts': ROUTES_TS },
      }),
      checks: [
        { name: 'an empty shop says so', run: (page) => expectText(page, /nothing is for sale yet/i) },
        {
          name: 'a person who has not paid does not get the chapter',
          run: async (page) => {
            await signIn(page, 'Ada')
            await page.getByRole('button', { name: /first chapter/i }).click()
            await expectText(page, /buy the book first/i)
          },
        },
        {
          name: 'the server refuses the chapter, too',
          run: async (page) => {
            const status = await askApp(page, '/api/chapter')
            assert.ok([401, 403].includes(status), `it answered ${status}`)
          },
        },
      ],
    },
  ],
}
