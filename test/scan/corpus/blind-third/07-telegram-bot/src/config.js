import 'dotenv/config';

export const { BOT_TOKEN, TALENT_API_KEY } = process.env;

if (!BOT_TOKEN) {
  console.error('BOT_TOKEN is not set');
  process.exit(1);
}
