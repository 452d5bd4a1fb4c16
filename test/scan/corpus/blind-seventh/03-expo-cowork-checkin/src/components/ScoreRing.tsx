import { Text, View } from 'react-native';
import type { Passport } from '../services/passport.types';

type Props = { passport: Pick<Passport, 'score' | 'activity_score' | 'identity_score' | 'skills_score'> };

export function ScoreRing({ passport }: Props) {
  const { score, activity_score, identity_score, skills_score } = passport;
  const parts = [
    ['Activity', activity_score],
    ['Identity', identity_score],
    ['Skills', skills_score],
  ] as const;

  return (
    <View accessibilityLabel={`Score ${score}`}>
      <Text style={{ fontSize: 48 }}>{score}</Text>
      {parts.map(([label, value]) => (
        <Text key={label}>
          {label}: {value}
        </Text>
      ))}
    </View>
  );
}
