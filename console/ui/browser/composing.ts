/** Whether the key belongs to an input method. In Safari the key that ends a composition follows `compositionend` and has the code 229. */
export const isComposing = ({ nativeEvent }: { nativeEvent: KeyboardEvent }): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229
