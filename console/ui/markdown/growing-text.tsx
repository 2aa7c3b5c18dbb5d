import { memo } from 'react'
import { blocksOf } from './text-blocks.ts'

/** Plain text of a model while it is written. Each new word lays out only the last block. */
export function GrowingText({ words, className }: { words: string; className: string }) {
  return (
    <p className={`leading-relaxed break-words whitespace-pre-wrap ${className}`}>
      {blocksOf(words.trim()).map((block, index) => (
        // Text is only appended, so the index is stable.
        <Block key={index} words={block} />
      ))}
    </p>
  )
}

const Block = memo(function Block({ words }: { words: string }) {
  return <span className="block">{words}</span>
})
