import type { ReactNode } from 'react'

/** Returns the text with the parts between backticks as code. */
export const inlineCode = (text: string): ReactNode =>
  text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // The parts of one text never change their places.
      <code key={at} className="font-mono break-words">
        {part}
      </code>
    ),
  )
