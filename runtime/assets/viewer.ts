/** The header in which the app's worker tells the assets worker that a signed-in person sent the request. */
export const VIEWER_HEADER = 'slipway-viewer'
/** The header with the ids of the products that this person may use, separated by commas. */
export const PRODUCTS_HEADER = 'slipway-products'
