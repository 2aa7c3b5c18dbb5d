import { memo } from 'react'
import { blocksOf } from './text-blocks.ts'

/** Plain words of a model as they are written: with every word only the end of them is laid out anew. */
export function GrowingText({ words, className }: { words: string; className: string }) {
  return (
    <p className={`leading-relaxed break-words whitespace-pre-wrap ${className}`}>
      {blocksOf(words.trim()).map((block, index) => (
        // Text only ever grows at its end.
        <Block key={index} words={block} />
      ))}
    </p>
  )
}

const Block = memo(function Block({ words }: { words: string }) {
  return <span className="block">{words}</span>
})
