import { toolCall } from '../answers.ts'
import { control, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

const COUNTER_MANIFEST = {
  slipway: 1,
  name: 'Word counter',
  pages: [{ path: '/', file: 'Home.tsx', title: 'Word counter' }],
}

const COUNT_TS = `export const countWords = (text: string): number => text.split(/\\s+/).filter(Boolean).length

export const plural = (n: number, word: string): string => \`\${n} \${word}\${n === 1 ? '' : 's'}\`
`

const HOME_TSX = `import { Page, TextArea } from '@slipway/app/react'
import { useState } from 'react'
import { countWords, plural } from '../../shared/count'

export default function Home() {
  const [text, setText] = useState('')
  return (
    <Page title="Word counter">
      <TextArea label="Text" value={text} onChange={setText} />
      <p>{plural(countWords(text), 'word')}</p>
      <p>{plural(text.length, 'character')}</p>
    </Page>
  )
}
`

export const task: Task = {
  name: 'word-counter',
  about: 'a small tool that grows by a second ticket',
  requires: ['free-form'],
  tickets: [
    {
      title: 'Count the words of a text',
      body: 'One page with a text area "Text". Below it "3 words" and "13 characters" follow as one types ("1 word", not "1 words").',
      script: [
        {
          toolCalls: [
            toolCall('write_file', { path: 'app.json', content: JSON.stringify(COUNTER_MANIFEST, null, 2) }),
            toolCall('write_file', { path: 'shared/count.ts', content: COUNT_TS }),
            toolCall('write_file', { path: 'web/pages/Home.tsx', content: HOME_TSX }),
          ],
        },
        { toolCalls: [toolCall('finish', { summary: 'Words and characters are counted as you type.' })] },
      ],
      checks: [
        {
          name: 'three words are counted',
          run: async (page) => {
            await control(page, /text/i).fill('one two three')
            await expectText(page, /\b3 words\b/)
            await expectText(page, /\b13 characters\b/)
          },
        },
        {
          name: 'one word is singular, blanks do not count',
          run: async (page) => {
            await control(page, /text/i).fill('   hello  ')
            await expectText(page, /\b1 word\b(?!s)/)
          },
        },
      ],
    },
    {
      title: 'Show the reading time',
      body: 'Below the counts show the reading time at 200 words a minute, rounded up: "2 min read" for 201 words.',
      script: [
        {
          toolCalls: [
            toolCall('edit_file', {
              path: 'web/pages/Home.tsx',
              old: `      <p>{plural(text.length, 'character')}</p>\n`,
              new: `      <p>{plural(text.length, 'character')}</p>\n      <p>{Math.ceil(countWords(text) / 200)} min read</p>\n`,
            }),
          ],
        },
        { toolCalls: [toolCall('finish', { summary: 'The reading time is shown.' })] },
      ],
      checks: [
        {
          name: '201 words take 2 minutes',
          run: async (page) => {
            await control(page, /text/i).fill('word '.repeat(201))
            await expectText(page, /\b2 min read\b/)
          },
        },
      ],
    },
  ],
}
