// Made by `npm run generate` from server/capabilities. Do not edit.

export interface CapabilityMetadata {
  title: string
  /** What an app can do with the capability, in one sentence. */
  about: string
  /** What the capability costs in the connected account, to be shown before it is switched on. */
  cost: string
  /** The cost in money: what the account's plan includes each month, and the price beyond that. */
  prices: readonly { what: string; included: string; more: string }[]
  /** The capabilities that switching on this capability with its default settings also switches on. */
  needs: readonly string[]
  /** The JSON Schema of `settings`. Each property has a title and a description, and most have a default. */
  settings: { readonly properties?: Readonly<Record<string, unknown>>; readonly [keyword: string]: unknown }
  /** Secret values, which can be set but not read. Settings other than the defaults may need more secrets. */
  secrets: readonly { name: string; title: string; description: string }[]
}

export const CAPABILITIES = {
  "auth": {
    "title": "Accounts and sign-in",
    "about": "People sign up and sign in to your app.",
    "cost": "Little. Each sign-in is a request and each account a stored record; passwords need a paid Workers plan",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "methods": {
          "title": "Ways to sign in",
          "examples": [
            {
              "passkey": true
            }
          ],
          "description": "The sign-in page shows exactly these. A provider is shown once its secret is saved.",
          "default": {},
          "type": "object",
          "properties": {
            "password": {
              "default": true,
              "title": "Password",
              "description": "People choose one when they sign up.",
              "type": "boolean"
            },
            "emailCode": {
              "default": false,
              "title": "Code by email",
              "description": "Six digits. Until the app can send mail, you find them below its people.",
              "type": "boolean"
            },
            "passkey": {
              "default": false,
              "title": "Passkey",
              "description": "People add one to their account, and then sign in with their device.",
              "type": "boolean"
            },
            "oauth": {
              "default": [],
              "title": "Other providers",
              "description": "google, github and microsoft need a client id; one of your own needs its addresses, too.",
              "maxItems": 8,
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "id": {
                    "type": "string",
                    "pattern": "^[a-z][a-z0-9]{1,30}$",
                    "title": "Provider",
                    "description": "google, github, microsoft, or a short name of your own."
                  },
                  "clientId": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "title": "Client id",
                    "description": "From the provider."
                  },
                  "authorizeUrl": {
                    "title": "Authorization address",
                    "description": "Of a provider of your own: where people agree.",
                    "type": "string",
                    "maxLength": 500,
                    "format": "uri"
                  },
                  "tokenUrl": {
                    "title": "Token address",
                    "description": "Of a provider of your own: where codes are redeemed.",
                    "type": "string",
                    "maxLength": 500,
                    "format": "uri"
                  },
                  "userInfoUrl": {
                    "title": "Profile address",
                    "description": "Of a provider of your own: the profile of a person, with `sub` or `id` and `email`.",
                    "type": "string",
                    "maxLength": 500,
                    "format": "uri"
                  },
                  "scopes": {
                    "title": "Scopes",
                    "description": "With openid among them, the id token is checked as well.",
                    "maxItems": 10,
                    "type": "array",
                    "items": {
                      "type": "string",
                      "minLength": 1,
                      "maxLength": 100
                    }
                  }
                },
                "required": [
                  "id",
                  "clientId"
                ]
              }
            }
          }
        },
        "sessionDays": {
          "default": 30,
          "title": "Days a session lasts",
          "examples": [
            7
          ],
          "description": "Counted from the last visit.",
          "type": "integer",
          "minimum": 1,
          "maximum": 365
        },
        "openSignup": {
          "default": true,
          "title": "Anyone may sign up",
          "description": "Off: only people who were invited to a team get an account.",
          "type": "boolean"
        },
        "passwordMin": {
          "default": 10,
          "title": "Shortest password",
          "description": "In characters.",
          "type": "integer",
          "minimum": 8,
          "maximum": 64
        },
        "confirmAddress": {
          "default": false,
          "title": "New accounts confirm their address",
          "description": "With a code by email, before the account exists. A stranger then cannot learn which addresses have one.",
          "type": "boolean"
        },
        "redirectUris": {
          "default": [],
          "title": "Addresses to return to",
          "description": "Where a sign-in may send people beside the app itself.",
          "maxItems": 20,
          "type": "array",
          "items": {
            "type": "string",
            "maxLength": 200,
            "format": "uri"
          }
        }
      }
    },
    "secrets": []
  },
  "team": {
    "title": "Teams",
    "about": "Signed-in people form teams and share what they do.",
    "cost": "Little. Each team has a small database, paid by requests and storage",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "maxMembers": {
          "default": 100,
          "title": "Members of a team at most",
          "examples": [
            5
          ],
          "description": "An invitation takes no place until it is accepted.",
          "type": "integer",
          "minimum": 1,
          "maximum": 1000
        },
        "inviteDays": {
          "default": 7,
          "title": "Days an invitation is open",
          "description": "After that it must be sent again.",
          "type": "integer",
          "minimum": 1,
          "maximum": 30
        },
        "maxTeamsPerUser": {
          "default": 10,
          "title": "Teams of one person at most",
          "description": "Teams joined and teams made together.",
          "type": "integer",
          "minimum": 1,
          "maximum": 100
        }
      }
    },
    "secrets": []
  },
  "data": {
    "title": "Data and live updates",
    "about": "The app keeps records, searches them, and shows changes to everyone at once.",
    "cost": "By use. Each read, change and open page is a request, and records take storage; a small app stays within what a paid Workers plan includes",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "logDays": {
          "default": 7,
          "title": "Offline catch-up, days",
          "examples": [
            3
          ],
          "description": "How long a page that was offline can catch up instead of loading everything again.",
          "type": "integer",
          "minimum": 1,
          "maximum": 30
        },
        "maxRecordKb": {
          "default": 128,
          "title": "Largest record, kB",
          "description": "A bigger record is refused.",
          "type": "integer",
          "minimum": 1,
          "maximum": 128
        }
      }
    },
    "secrets": []
  },
  "files": {
    "title": "File uploads",
    "about": "People upload files to the app and get them back.",
    "cost": "By use. The storage of files, each time one is read or written, and pictures that are made smaller",
    "prices": [
      {
        "what": "Files stored",
        "included": "10 GB",
        "more": "$0.015 a GB"
      },
      {
        "what": "Files written and listed",
        "included": "1 million",
        "more": "$4.50 a million"
      },
      {
        "what": "Files read",
        "included": "10 million",
        "more": "$0.36 a million"
      },
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      },
      {
        "what": "Pictures made smaller",
        "included": "5,000",
        "more": "$0.50 a thousand"
      }
    ],
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "maxBytes": {
          "default": 26214400,
          "title": "Largest file",
          "unit": "bytes",
          "examples": [
            2048
          ],
          "description": "A bigger one is refused before it is sent.",
          "type": "integer",
          "minimum": 1024,
          "maximum": 5368709120
        },
        "types": {
          "default": [
            "*/*"
          ],
          "title": "Types that are taken",
          "description": "Media types; */* takes every one.",
          "minItems": 1,
          "maxItems": 50,
          "type": "array",
          "items": {
            "type": "string",
            "pattern": "^(\\*|[a-z]+)\\/(\\*|[\\w.+-]+)$"
          }
        },
        "perUserBytes": {
          "default": 1073741824,
          "title": "Space of one person",
          "unit": "bytes",
          "description": "What one person may keep in all.",
          "type": "integer",
          "minimum": 1024,
          "maximum": 9007199254740991
        },
        "imageWidths": {
          "default": [
            64,
            128,
            256,
            512,
            1024,
            2048
          ],
          "title": "Widths of pictures",
          "examples": [
            [
              64,
              256
            ]
          ],
          "description": "In pixels: small copies, made when a page first asks for them. Of 64, 128, 256, 512, 1024, 2048.",
          "minItems": 1,
          "maxItems": 6,
          "type": "array",
          "items": {
            "type": "number",
            "enum": [
              64,
              128,
              256,
              512,
              1024,
              2048
            ]
          }
        }
      }
    },
    "secrets": []
  },
  "assets": {
    "title": "Assets",
    "about": "The app serves files you upload here.",
    "cost": "By use. The storage of files, and each time one is read",
    "prices": [
      {
        "what": "Files stored",
        "included": "10 GB",
        "more": "$0.015 a GB"
      },
      {
        "what": "Files written and listed",
        "included": "1 million",
        "more": "$4.50 a million"
      },
      {
        "what": "Files read",
        "included": "10 million",
        "more": "$0.36 a million"
      }
    ],
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "defaultAccess": {
          "default": {
            "kind": "public"
          },
          "title": "Who may see a new asset",
          "description": "Everyone, signed-in people, or those who bought a product.",
          "$ref": "#/$defs/AssetAccess"
        },
        "cacheSeconds": {
          "default": 3600,
          "title": "Seconds a browser keeps it",
          "examples": [
            60
          ],
          "description": "For assets that everyone may see; others are never kept.",
          "type": "integer",
          "minimum": 0,
          "maximum": 31536000
        }
      },
      "$defs": {
        "AssetAccess": {
          "oneOf": [
            {
              "type": "object",
              "properties": {
                "kind": {
                  "type": "string",
                  "const": "public"
                }
              },
              "required": [
                "kind"
              ],
              "title": "Everyone"
            },
            {
              "type": "object",
              "properties": {
                "kind": {
                  "type": "string",
                  "const": "members"
                }
              },
              "required": [
                "kind"
              ],
              "title": "People who are signed in"
            },
            {
              "type": "object",
              "properties": {
                "kind": {
                  "type": "string",
                  "const": "product"
                },
                "productId": {
                  "type": "string",
                  "pattern": "^[\\w-]{1,100}$",
                  "title": "Product",
                  "description": "The id of a product, from the list of products."
                }
              },
              "required": [
                "kind",
                "productId"
              ],
              "title": "Those who bought a product"
            }
          ]
        }
      }
    },
    "secrets": []
  },
  "email": {
    "title": "Email",
    "about": "The app sends mail from your domain and receives it.",
    "cost": "By use. Each mail that is sent; the mails an hour are limited",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "replyTo": {
          "default": null,
          "title": "Replies go to",
          "description": "The address that every mail names for replies.",
          "anyOf": [
            {
              "type": "string",
              "format": "email",
              "pattern": "^(?:[A-Za-z0-9_'+\\-]+\\.)*[A-Za-z0-9_'+\\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$"
            },
            {
              "type": "null"
            }
          ]
        },
        "notifyTo": {
          "default": null,
          "title": "Notices go to",
          "description": "Gets a notice of new mail in a mailbox that asks for it. Empty: the address for replies.",
          "anyOf": [
            {
              "type": "string",
              "format": "email",
              "pattern": "^(?:[A-Za-z0-9_'+\\-]+\\.)*[A-Za-z0-9_'+\\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$"
            },
            {
              "type": "null"
            }
          ]
        },
        "maxPerHour": {
          "default": 200,
          "title": "Mails an hour at most",
          "examples": [
            100
          ],
          "description": "Over all recipients.",
          "type": "integer",
          "minimum": 1,
          "maximum": 10000
        },
        "perRecipientPerDay": {
          "default": 20,
          "title": "Mails a recipient a day at most",
          "description": "What is above is refused.",
          "type": "integer",
          "minimum": 1,
          "maximum": 100
        }
      }
    },
    "secrets": []
  },
  "ai": {
    "title": "AI",
    "about": "The app asks a model: answers, summaries, classification.",
    "cost": "By use. Each answer is paid by its length and its model; the runs a month are limited",
    "prices": [
      {
        "what": "Neurons, the unit in which models are paid",
        "included": "10,000 a day",
        "more": "$0.011 a thousand"
      },
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "model": {
          "default": null,
          "title": "Model",
          "examples": [
            "@cf/meta/llama-3.1-8b-instruct"
          ],
          "description": "One of Workers AI, like @cf/meta/llama-3.1-8b-instruct, or with a key one of another provider, like openai/gpt-5-mini. Empty: one that the account has.",
          "anyOf": [
            {
              "type": "string",
              "pattern": "^(@[a-z0-9-]+\\/)?[a-z0-9-]+\\/[\\w.:-]{1,150}$"
            },
            {
              "type": "null"
            }
          ]
        },
        "monthlyRuns": {
          "default": 1000,
          "title": "Runs a month",
          "examples": [
            500
          ],
          "description": "The app is refused past it, until the first of the next month (UTC).",
          "type": "integer",
          "minimum": 1,
          "maximum": 1000000
        },
        "maxTokens": {
          "default": 1024,
          "title": "Tokens of an answer at most",
          "examples": [
            256
          ],
          "description": "A longer answer is cut.",
          "type": "integer",
          "minimum": 16,
          "maximum": 8192
        }
      }
    },
    "secrets": [
      {
        "name": "providerKey",
        "title": "Key of a model provider",
        "description": "Only for models that the account does not run itself."
      }
    ]
  },
  "pay": {
    "title": "Payments",
    "about": "The app sells products and subscriptions with Stripe.",
    "cost": "By payment. Stripe keeps its fee of each",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "currency": {
          "default": "usd",
          "title": "Currency",
          "examples": [
            "eur"
          ],
          "description": "Of new products that name none.",
          "type": "string",
          "pattern": "^[a-z]{3}$"
        },
        "successPath": {
          "default": "/",
          "title": "Page after a payment",
          "examples": [
            "/thanks"
          ],
          "description": "A path of the app.",
          "type": "string",
          "maxLength": 200,
          "pattern": "^\\/(?!\\/)[^\\\\\\p{Cc}]*$"
        },
        "cancelPath": {
          "default": "/",
          "title": "Page after a cancelled payment",
          "description": "A path of the app.",
          "type": "string",
          "maxLength": 200,
          "pattern": "^\\/(?!\\/)[^\\\\\\p{Cc}]*$"
        },
        "portal": {
          "default": true,
          "title": "People manage their subscriptions",
          "description": "On Stripe's own pages.",
          "type": "boolean"
        },
        "trialDays": {
          "default": 0,
          "title": "Days of trial",
          "description": "Of new subscriptions.",
          "type": "integer",
          "minimum": 0,
          "maximum": 90
        }
      }
    },
    "secrets": [
      {
        "name": "stripeKey",
        "title": "Stripe key",
        "description": "For the live app. Until there is one, the live app sells in test mode."
      },
      {
        "name": "stripeTestKey",
        "title": "Stripe test key",
        "description": "For the preview."
      }
    ]
  },
  "live": {
    "title": "Live rooms",
    "about": "People in the same room see each other act.",
    "cost": "By use. The messages in a room, and the time that people are in it",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "maxPeers": {
          "default": 50,
          "title": "People in a room at most",
          "examples": [
            5
          ],
          "description": "Open pages are counted; one more is refused.",
          "type": "integer",
          "minimum": 1,
          "maximum": 500
        },
        "historyLimit": {
          "default": 100,
          "title": "Messages kept in a room",
          "examples": [
            20
          ],
          "description": "For people who come later. 0 keeps none.",
          "type": "integer",
          "minimum": 0,
          "maximum": 1000
        },
        "allowAnonymous": {
          "default": false,
          "title": "Without signing in",
          "examples": [
            true
          ],
          "description": "Off: a public room is open to everyone who is signed in.",
          "type": "boolean"
        }
      }
    },
    "secrets": []
  },
  "call": {
    "title": "Calls",
    "about": "People speak and see each other, browser to browser.",
    "cost": "By use. The sound and picture that your account sends; small calls run between the browsers and send little",
    "prices": [
      {
        "what": "Sound and picture of large calls, sent out",
        "included": "1,000 GB",
        "more": "$0.05 a GB"
      },
      {
        "what": "The same through a relay",
        "included": "with the above",
        "more": "$0.05 a GB"
      },
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [
      "live"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "mode": {
          "default": "auto",
          "title": "How calls are carried",
          "description": "mesh: between the browsers; sfu: through the account; auto: by the number of people.",
          "examples": [
            "mesh"
          ],
          "type": "string",
          "enum": [
            "auto",
            "mesh",
            "sfu"
          ]
        },
        "meshMax": {
          "default": 4,
          "title": "People between the browsers at most",
          "description": "With more, a call moves to the account. Where it may not, more are refused.",
          "examples": [
            3
          ],
          "type": "integer",
          "minimum": 2,
          "maximum": 6
        },
        "maxPeers": {
          "default": 8,
          "title": "People in a call at most",
          "description": "Open pages are counted; one more is refused.",
          "examples": [
            6
          ],
          "type": "integer",
          "minimum": 2,
          "maximum": 50
        },
        "audioOnly": {
          "default": false,
          "title": "Sound only",
          "description": "No pictures are sent.",
          "examples": [
            true
          ],
          "type": "boolean"
        }
      }
    },
    "secrets": []
  },
  "schedule": {
    "title": "Schedules",
    "about": "The app does things at set times.",
    "cost": "Little. A request each time a job runs, and the time it works",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "timezone": {
          "default": "UTC",
          "title": "Time zone",
          "examples": [
            "Europe/Berlin"
          ],
          "description": "Of schedules that name none.",
          "type": "string"
        },
        "isPaused": {
          "default": false,
          "title": "Paused",
          "description": "Nothing runs until it is switched back.",
          "type": "boolean"
        },
        "maxAttempts": {
          "default": 5,
          "title": "Attempts",
          "description": "Of a run that fails, where the schedule does not say.",
          "type": "integer",
          "minimum": 1,
          "maximum": 10
        },
        "runInPreview": {
          "default": false,
          "title": "Also in the preview",
          "description": "Off: in the preview nothing runs by itself.",
          "type": "boolean"
        }
      }
    },
    "secrets": []
  },
  "queue": {
    "title": "Background queue",
    "about": "The app does slow work later and retries what failed.",
    "cost": "By use. Each job that is written, read or removed",
    "prices": [
      {
        "what": "Jobs written, read or removed, each 64 kB",
        "included": "1 million",
        "more": "$0.40 a million"
      },
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "maxRetries": {
          "default": 3,
          "title": "Retries",
          "description": "How often a job that fails is tried again, unless its queue says otherwise.",
          "type": "integer",
          "minimum": 0,
          "maximum": 10
        },
        "batchSize": {
          "default": 10,
          "title": "Jobs in a batch",
          "examples": [
            5
          ],
          "description": "At most this many are taken at once.",
          "type": "integer",
          "minimum": 1,
          "maximum": 100
        },
        "maxWaitSeconds": {
          "default": 2,
          "title": "Seconds to wait for a full batch",
          "description": "After that a smaller batch is taken.",
          "type": "integer",
          "minimum": 0,
          "maximum": 60
        },
        "retryDelaySeconds": {
          "default": 30,
          "title": "Seconds before a retry",
          "description": "After a job failed.",
          "type": "integer",
          "minimum": 0,
          "maximum": 43200
        },
        "concurrency": {
          "default": null,
          "title": "Batches at the same time",
          "description": "Empty: as many as the account allows.",
          "anyOf": [
            {
              "type": "integer",
              "minimum": 1,
              "maximum": 250
            },
            {
              "type": "null"
            }
          ]
        }
      }
    },
    "secrets": []
  },
  "flow": {
    "title": "Durable flows",
    "about": "Work of many steps that continues after any interruption.",
    "cost": "By use. Each step of a flow, the time it works, and what flows store while they run",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "retentionDays": {
          "default": 7,
          "title": "Days a finished flow is kept",
          "description": "A free account keeps 3 at most.",
          "examples": [
            3
          ],
          "type": "integer",
          "minimum": 1,
          "maximum": 30
        },
        "concurrency": {
          "default": null,
          "title": "Flows at the same time",
          "description": "Empty: as many as the account allows.",
          "anyOf": [
            {
              "type": "integer",
              "minimum": 1,
              "maximum": 1000
            },
            {
              "type": "null"
            }
          ]
        },
        "maxSteps": {
          "default": 256,
          "title": "Steps of a flow at most",
          "description": "One more ends it.",
          "examples": [
            100
          ],
          "type": "integer",
          "minimum": 1,
          "maximum": 1024
        }
      }
    },
    "secrets": []
  },
  "connect": {
    "title": "Connected accounts",
    "about": "People connect their accounts elsewhere.",
    "cost": "Little. A request for each call to a service, which may have prices of its own",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "providers": {
          "default": [],
          "title": "Services",
          "examples": [
            [
              {
                "id": "github",
                "clientId": "Iv1.0123456789"
              }
            ]
          ],
          "description": "google, github, microsoft, slack, notion, linear, hubspot, dropbox, discord and spotify need a client id; one of your own needs its addresses, too.",
          "maxItems": 20,
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "id": {
                "type": "string",
                "pattern": "^[a-z][a-z0-9]{1,30}$",
                "title": "Service",
                "description": "google, github, microsoft, slack, notion, linear, hubspot, dropbox, discord, spotify, or a short name of your own."
              },
              "kind": {
                "default": "oauth",
                "title": "How people link it",
                "description": "By agreeing at the service (oauth), or with a key that they paste (apiKey).",
                "type": "string",
                "enum": [
                  "oauth",
                  "apiKey"
                ]
              },
              "clientId": {
                "title": "Client id",
                "description": "Of oauth: from the service.",
                "type": "string",
                "minLength": 1,
                "maxLength": 200
              },
              "authorizeUrl": {
                "title": "Authorization address",
                "description": "Of a service of your own: where people agree.",
                "type": "string",
                "maxLength": 500,
                "format": "uri"
              },
              "tokenUrl": {
                "title": "Token address",
                "description": "Of a service of your own: where codes are redeemed and tokens renewed.",
                "type": "string",
                "maxLength": 500,
                "format": "uri"
              },
              "apiBase": {
                "title": "API address",
                "description": "Requests of the app go below it, and nowhere else.",
                "type": "string",
                "maxLength": 500,
                "format": "uri"
              },
              "revokeUrl": {
                "title": "Revocation address",
                "description": "Told when a person unlinks it or is erased (RFC 7009).",
                "type": "string",
                "maxLength": 500,
                "format": "uri"
              },
              "header": {
                "title": "Header of the key",
                "description": "Of apiKey, like x-api-key. Without it the key is sent as a bearer token.",
                "type": "string",
                "pattern": "^[\\w-]{1,100}$"
              }
            },
            "required": [
              "id"
            ]
          }
        }
      }
    },
    "secrets": []
  },
  "hook": {
    "title": "Incoming webhooks",
    "about": "Other services tell the app what happened.",
    "cost": "Little. A request for each call that arrives, and the storage of what it said",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [
      "data"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "endpoints": {
          "default": {},
          "title": "Endpoints",
          "description": "Each endpoint that has a secret, by name. Its other settings are optional.",
          "type": "object",
          "propertyNames": {
            "type": "string",
            "pattern": "^[a-z][A-Za-z0-9-]{0,59}$"
          },
          "additionalProperties": {
            "type": "object",
            "properties": {
              "scheme": {
                "title": "Scheme",
                "description": "How the sender signs; only for an endpoint that the app does not declare.",
                "type": "string",
                "enum": [
                  "standard",
                  "stripe",
                  "github",
                  "slack",
                  "shopify",
                  "slipway",
                  "token",
                  "hmac"
                ]
              },
              "header": {
                "title": "Header",
                "description": "Of token and hmac: the one with the token or signature.",
                "type": "string",
                "pattern": "^[\\w-]{1,100}$"
              },
              "encoding": {
                "title": "Encoding",
                "description": "Of hmac: how the signature is written. Without it hex.",
                "type": "string",
                "enum": [
                  "hex",
                  "base64"
                ]
              },
              "prefix": {
                "title": "Prefix",
                "description": "Of token and hmac: what stands before the token or signature, like `sha256=`.",
                "type": "string",
                "maxLength": 50
              },
              "signed": {
                "title": "What is signed",
                "description": "Of hmac: `{body}`, or a text with it and `{<header>}`, like `{x-timestamp}.{body}`.",
                "type": "string",
                "maxLength": 200,
                "pattern": "\\{body\\}"
              },
              "collection": {
                "title": "Collection",
                "description": "Where messages become records. Without it hookEvents.",
                "type": "string",
                "maxLength": 40
              }
            }
          }
        },
        "keepDays": {
          "default": 30,
          "title": "Days a message is kept",
          "examples": [
            7
          ],
          "description": "After that its record is removed.",
          "type": "integer",
          "minimum": 1,
          "maximum": 365
        }
      }
    },
    "secrets": [
      {
        "name": "sendKey",
        "title": "Key for messages the app sends",
        "description": "Signs what `hook.send` sends (Standard Webhooks); receivers verify with the same key."
      }
    ]
  },
  "render": {
    "title": "Page rendering",
    "about": "The app turns pages into pictures and PDFs.",
    "cost": "By use. The time a browser works on a page; the pages a month are limited",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "monthly": {
          "default": 500,
          "title": "Pages a month",
          "description": "The app is refused past it, until the first of the next month (UTC).",
          "type": "integer",
          "minimum": 1,
          "maximum": 100000
        },
        "timeoutMs": {
          "default": 15000,
          "title": "Milliseconds a page may take",
          "description": "Then it is given up.",
          "type": "integer",
          "minimum": 1000,
          "maximum": 60000
        },
        "allowedHosts": {
          "default": [],
          "title": "Hosts",
          "examples": [
            [
              "example.org"
            ]
          ],
          "description": "Whose pages may be opened. The own ones always may.",
          "maxItems": 50,
          "type": "array",
          "items": {
            "type": "string",
            "pattern": "^[a-z0-9.-]{1,253}$"
          }
        },
        "maxBytes": {
          "default": 10485760,
          "title": "Largest result in bytes",
          "description": "A bigger one is refused.",
          "type": "integer",
          "minimum": 1024,
          "maximum": 104857600
        }
      }
    },
    "secrets": []
  },
  "video": {
    "title": "Video",
    "about": "The app takes videos and plays them.",
    "cost": "By use. Each minute that is stored or watched; the minutes a month are limited",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "monthly": {
          "default": 100,
          "title": "Minutes a month",
          "description": "Of new videos. The app is refused past it, until the first of the next month (UTC).",
          "examples": [
            200
          ],
          "type": "integer",
          "minimum": 1,
          "maximum": 100000
        },
        "maxSeconds": {
          "default": 600,
          "title": "Longest video in seconds",
          "description": "A longer one is refused.",
          "type": "integer",
          "minimum": 1,
          "maximum": 21600
        },
        "signed": {
          "default": true,
          "title": "Only with a link of the app",
          "description": "Off: anyone who knows the address of a video may watch it.",
          "type": "boolean"
        }
      }
    },
    "secrets": []
  },
  "push": {
    "title": "Push notifications",
    "about": "The app notifies people when it is closed.",
    "cost": "Little. A request for each notice; the browsers' makers deliver it free of charge",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "subject": {
          "default": null,
          "title": "Contact",
          "examples": [
            "mailto:owner@example.com"
          ],
          "description": "What push services are told about the sender. Empty: the address of the app.",
          "anyOf": [
            {
              "type": "string",
              "maxLength": 200,
              "pattern": "^(mailto:[^@\\s]+@[^@\\s]+|https:\\/\\/\\S+)$"
            },
            {
              "type": "null"
            }
          ]
        },
        "icon": {
          "default": null,
          "title": "Picture",
          "examples": [
            "/icon.png"
          ],
          "description": "A path of the app, shown beside a notification.",
          "anyOf": [
            {
              "type": "string",
              "maxLength": 200,
              "pattern": "^\\/"
            },
            {
              "type": "null"
            }
          ]
        }
      }
    },
    "secrets": []
  },
  "events": {
    "title": "Product analytics",
    "about": "You see how people use the app.",
    "cost": "By use. Each event that is counted, and each look at the figures",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      },
      {
        "what": "Events and page views written",
        "included": "10 million",
        "more": "$0.25 a million"
      },
      {
        "what": "Reads of the figures",
        "included": "1 million",
        "more": "$1.00 a million"
      }
    ],
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "sampleRate": {
          "default": 1,
          "title": "Part that is kept",
          "examples": [
            0.5
          ],
          "description": "1 keeps every visitor, 0.1 one in ten; counts are scaled up again.",
          "type": "number",
          "minimum": 0.01,
          "maximum": 1
        },
        "autoPageviews": {
          "default": true,
          "title": "Count page views",
          "description": "Without code in the app.",
          "type": "boolean"
        }
      }
    },
    "secrets": []
  },
  "guard": {
    "title": "Bot protection",
    "about": "Keeps bots and floods away.",
    "cost": "Little. The bot check is free of charge, and counting what a visitor does is a request each time",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "mode": {
          "default": "managed",
          "title": "What people see",
          "description": "managed: a box that asks only when it is not sure. non-interactive: a box that never asks. invisible: nothing.",
          "examples": [
            "invisible"
          ],
          "type": "string",
          "enum": [
            "managed",
            "non-interactive",
            "invisible"
          ]
        },
        "protect": {
          "default": [],
          "title": "What is protected",
          "examples": [
            [
              "auth.reset"
            ]
          ],
          "description": "auth.signUp, auth.signIn, auth.reset, events, or paths of the app, like /api/contact.",
          "maxItems": 50,
          "type": "array",
          "items": {
            "type": "string",
            "pattern": "^(auth\\.(signUp|signIn|reset)|events|\\/\\S{0,199})$"
          }
        },
        "limits": {
          "default": [],
          "title": "Limits",
          "examples": [
            [
              {
                "name": "letters",
                "limit": 20,
                "period": 10,
                "per": "ip"
              }
            ]
          ],
          "description": "How often one address or one person may do something in 10 or 60 seconds.",
          "maxItems": 10,
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "name": {
                "type": "string",
                "pattern": "^[a-z][A-Za-z0-9-]{0,39}$",
                "title": "Name",
                "description": "What code calls it."
              },
              "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100000,
                "title": "Times",
                "description": "How often within the period."
              },
              "period": {
                "anyOf": [
                  {
                    "type": "number",
                    "const": 10
                  },
                  {
                    "type": "number",
                    "const": 60
                  }
                ],
                "title": "Period",
                "description": "In seconds: 10 or 60."
              },
              "per": {
                "type": "string",
                "enum": [
                  "ip",
                  "user"
                ],
                "title": "Per",
                "description": "ip counts a network address; user a person who is signed in, and the address of any other."
              }
            },
            "required": [
              "name",
              "limit",
              "period",
              "per"
            ]
          }
        }
      }
    },
    "secrets": []
  },
  "meter": {
    "title": "Usage limits",
    "about": "Counts what each person uses and stops at a limit.",
    "cost": "Little. A request for each use that is counted",
    "prices": [
      {
        "what": "Requests to records, sockets and timers",
        "included": "1 million",
        "more": "$0.15 a million"
      },
      {
        "what": "Time they work",
        "included": "400,000 GB-seconds",
        "more": "$12.50 a million"
      },
      {
        "what": "Rows read",
        "included": "25 billion",
        "more": "$0.001 a million"
      },
      {
        "what": "Rows written",
        "included": "50 million",
        "more": "$1.00 a million"
      },
      {
        "what": "Records stored",
        "included": "5 GB",
        "more": "$0.20 a GB"
      }
    ],
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "limits": {
          "default": {},
          "title": "Limits",
          "examples": [
            {
              "letters": 3
            }
          ],
          "description": "Other than the app declares, by the key of the meter; they hold at once.",
          "type": "object",
          "propertyNames": {
            "type": "string",
            "pattern": "^[a-z][A-Za-z0-9-]{0,59}$",
            "title": "Meter"
          },
          "additionalProperties": {
            "type": "number",
            "minimum": 0,
            "title": "Limit"
          }
        }
      }
    },
    "secrets": []
  }
} as const satisfies Record<
  string,
  CapabilityMetadata
>

export type CapabilityKey = keyof typeof CAPABILITIES
