/**
 * Returns a response body made of pieces of text, produced as fast as the client reads. The first piece is
 * awaited, so that its error becomes an ordinary error response. A later error closes the connection and is
 * passed to `onBroken`.
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
    // With 0 no piece is requested before the client reads.
    { highWaterMark: 0 },
  )
}
