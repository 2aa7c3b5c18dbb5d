/**
 * A body made of pieces of text, at the reader's own pace. The first piece is awaited, so that what fails before it
 * is an ordinary refusal; what fails later ends the connection and is told to `onBroken`.
 */
export async function textStream(
  pieces: AsyncGenerator<string>,
  onBroken: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let next = await pieces.next()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (next.done === true) return controller.close()
        controller.enqueue(encoder.encode(next.value))
        try {
          next = await pieces.next()
        } catch (error) {
          onBroken(error)
          controller.error(error)
        }
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    // Nothing is made before somebody reads.
    { highWaterMark: 0 },
  )
}
