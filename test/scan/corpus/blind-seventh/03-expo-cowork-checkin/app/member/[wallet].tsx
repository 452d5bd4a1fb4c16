import { useLocalSearchParams } from 'expo-router';
import { useEffect } from 'react';
import { ActivityIndicator, Image, ScrollView, StyleSheet, Text, View } from 'react-native';
import { ScoreRing } from '../../src/components/ScoreRing';
import { useCredentials, usePassport } from '../../src/hooks/usePassport';
import { useRecent } from '../../src/hooks/useRecent';

export default function MemberScreen() {
  const { wallet } = useLocalSearchParams<{ wallet: string }>();
  const { data: passport, isPending, error } = usePassport(wallet);
  const { data: credentials = [] } = useCredentials(passport?.passport_id);
  const { remember } = useRecent();

  useEffect(() => {
    if (!passport) return;
    remember({
      wallet: passport.main_wallet,
      label: passport.passport_profile?.display_name ?? passport.main_wallet,
      at: Date.now(),
    });
  }, [passport, remember]);

  if (isPending) return <ActivityIndicator />;
  if (error) return <Text style={styles.error}>Could not reach the score service.</Text>;
  if (!passport) return <Text>This wallet has no passport. Ask the front desk.</Text>;

  const profile = passport.passport_profile;
  const avatar = passport.passport_socials?.find((s) => s.profile_image_url)?.profile_image_url;

  return (
    <ScrollView contentContainerStyle={styles.page}>
      {avatar && <Image source={{ uri: avatar }} style={styles.avatar} />}
      <Text style={styles.h1}>{profile?.display_name}</Text>
      {!!profile?.location && <Text>{profile.location}</Text>}
      <Text numberOfLines={4}>{profile?.bio}</Text>
      <ScoreRing passport={passport} />
      {passport.human_checkmark && <Text>Verified human</Text>}
      <Text>{passport.connections_count ?? 0} connections</Text>
      <View>
        {credentials.map((c) => (
          <View key={c.id} style={styles.row}>
            <Text>{c.name}</Text>
            <Text>{c.type === 'active_wallet' ? 'yes' : c.value}</Text>
          </View>
        ))}
      </View>
    </ScrollView>
  );
}

const styles = StyleSheet.create({
  page: { padding: 16, gap: 8 },
  avatar: { width: 96, height: 96, borderRadius: 48 },
  h1: { fontSize: 24, fontWeight: '600' },
  row: { flexDirection: 'row', justifyContent: 'space-between' },
  error: { color: 'crimson' },
});
