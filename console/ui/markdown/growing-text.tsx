import { memo } from 'react'
import { blocksOf } from './text-blocks.ts'

/**
 * The plain text of a model while it is being written. It is split into blocks, so that the browser lays out only the
 * last block for a new word.
 */
export function GrowingText({ words, className }: { words: string; className: string }) {
  return (
    <p className={`leading-relaxed break-words whitespace-pre-wrap ${className}`}>
      {blocksOf(words.trim()).map((block, index) => (
        // Text is only added at the end, so the index of a block never changes.
        <Block key={index} words={block} />
      ))}
    </p>
  )
}

const Block = memo(function Block({ words }: { words: string }) {
  return <span className="block">{words}</span>
})
